import { describe, expect, it } from 'vitest';
import { foldedText } from './folded-text.js';

describe('foldedText', () => {
  it.each([
    ['MÜLLER', 'muller'],
    ['Strauß', 'strauss'],
    ['STRAUẞ', 'strauss'],
    ['Ørsted', 'orsted'],
    ['Łukasz', 'lukasz'],
    ['Æthelred Þór', 'aethelred thor'],
    ['İstanbul', 'istanbul'],
    ['Işıl', 'isil'],
    ['Nguyễn', 'nguyen'],
    ['Nguye\u0302\u0303n', 'nguyen'],
    ['Đặng', 'dang'],
    ['Əliyev', 'eliyev'],
    ['Ἀθηνᾶς', 'αθηνασ'],
    ['ΣΟΦΟΣ', 'σοφοσ'],
    ['Алёна Йовович', 'алена иовович'],
    ['ﬁnn Ｓｍｉｔｈ', 'finn smith'],
    ["O'Brien", "o'brien"],
    ['李小龍', '李小龍'],
    ['김', '김'],
    ['أحمد', 'احمد'],
  ])('folds %s to %s', (text, folded) => {
    expect(foldedText(text)).toBe(folded);
    expect(foldedText(folded)).toBe(folded);
  });

  it('keeps the marks that are letters to their readers', () => {
    expect(foldedText('が')).not.toBe(foldedText('か'));
    expect(foldedText('राम')).not.toBe(foldedText('रम'));
  });
});
