/** What each link of the mobile application opens (specification: application links). `{app_scheme}` is the marketplace's own. */
export const APPLICATION_LINKS = {
  '{app_scheme}://app': 'home view',
  '{app_scheme}://about': 'about view',
  '{app_scheme}://events/{id}': 'an event',
  '{app_scheme}://performers/{id}': 'a performer',
  '{app_scheme}://venues/{id}': 'a venue',
  '{app_scheme}://search?q={query}': 'a search',
} as const;
