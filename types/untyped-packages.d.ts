declare module 'iso-3166-2' {
  export function subdivision(code: string): { name: string; code: string; countryCode: string } | null;
  export function subdivision(country: string, code: string): { name: string; code: string } | null;
  export function country(code: string): { name: string; sub: Record<string, { name: string; type: string }> } | null;
  const iso: { subdivision: typeof subdivision; country: typeof country };
  export default iso;
}
