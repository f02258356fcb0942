export type FarEast = 'chinese' | 'japanese' | 'korean';

/** Fonts that PDF defines and does not embed: one with all Chinese characters would be larger than everything else in the pack. */
export const FAR_EAST: Readonly<
  Record<FarEast, Readonly<{ base: string; encoding: string; ordering: string; supplement: number }>>
> = {
  chinese: { base: 'STSong-Light', encoding: 'UniGB-UTF16-H', ordering: 'GB1', supplement: 4 },
  japanese: { base: 'HeiseiKakuGo-W5', encoding: 'UniJIS-UTF16-H', ordering: 'Japan1', supplement: 5 },
  korean: { base: 'HYGoThic-Medium', encoding: 'UniKS-UTF16-H', ordering: 'Korea1', supplement: 1 },
};

const HAN_KANA_HANGUL =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\u3000-\u303f\u30fb\u30fc\uff00-\uffef]/u;

export function isFarEastern(character: string): boolean {
  return HAN_KANA_HANGUL.test(character);
}

/** Chinese characters are written as the language around them does. */
export function farEastOf(text: string): FarEast {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return 'japanese';
  return /\p{Script=Hangul}/u.test(text) ? 'korean' : 'chinese';
}
