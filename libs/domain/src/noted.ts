/**
 * `sealed_note`: what a person wrote, encrypted with the order's own key, base64. `note`: Willcall's own words, and what people wrote before
 * notes were sealed.
 */
export type Noted = Readonly<{ note?: string; sealed_note?: string }>;
