// Days since 1970 as year, month and day of the Gregorian calendar.

#pragma hone kernel in(days[0 : n]) out(year[0 : n], month[0 : n], day[0 : n]) init(days : uniform(-800000, 800000)) \
    problem(n = 15000) problem(n = 5003)
void civil_dates(const int* days, int* year, int* month, int* day, int n) {
  for (int i = 0; i < n; ++i) {
    const long long shifted = static_cast<long long>(days[i]) + 719468;
    const long long era = (shifted >= 0 ? shifted : shifted - 146096) / 146097;
    const unsigned of_era = static_cast<unsigned>(shifted - era * 146097);
    const unsigned year_of_era = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    const unsigned of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    const unsigned from_march = (5 * of_year + 2) / 153;
    day[i] = static_cast<int>(of_year - (153 * from_march + 2) / 5 + 1);
    month[i] = static_cast<int>(from_march < 10 ? from_march + 3 : from_march - 9);
    year[i] = static_cast<int>(year_of_era) + static_cast<int>(era * 400) + (month[i] <= 2 ? 1 : 0);
  }
}
