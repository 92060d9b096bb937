import { countPoints } from './text-length.ts'

/**
 * The characters allowed in names of people, bots, channels and groups, and the key by which two names are the same
 * (docs/interface/conventions.md#names).
 */

/**
 * Invisible characters where they are part of a visible one: in emoji; variation selectors of ideographs and Mongolian letters; joiners in
 * scripts where they change the form of letters.
 */
const PART_OF_SIGN =
  /\p{RGI_Emoji}|(?<=\p{Extended_Pictographic})[\ufe0e\ufe0f]|(?<=\p{Extended_Pictographic}[\p{Emoji_Modifier}\ufe0f]?)\u200d(?=\p{Extended_Pictographic})|(?<=\p{Ideographic})[\ufe00-\ufe02\u{e0100}-\u{e01ef}]|(?<=\p{Script=Mongolian})[\u180b-\u180f]|(?<=[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Nko}\p{Script=Mandaic}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Tibetan}\p{Script=Myanmar}\p{Script=Khmer}\p{Script=Balinese}\p{Script=Javanese}\p{Script=Sundanese}\p{Script=Meetei_Mayek}\p{Script=Limbu}\p{Script=Brahmi}])[\u200c\u200d]/gv

/** Controls, line separators, surrogates, non-characters, and invisible characters. */
const UNFIT = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}\p{Default_Ignorable_Code_Point}]/u

/** Returns the position of the first character that is not allowed in names, in code points counted from 1. */
export function firstUnfitInName(name: string): number | undefined {
  const others = name.replaceAll(PART_OF_SIGN, (sign) => '_'.repeat(sign.length))
  const position = others.search(UNFIT)
  if (position !== -1) return countPoints(name.slice(0, position)) + 1
  return nameKey(name) === '' ? 1 : undefined
}

/** Most names: their keys need no Unicode tables. */
const PLAIN = /^[!-~]+(?: [!-~]+)*$/

/** Flags that differ only in invisible characters, and those characters. */
const FLAG_OR_IGNORED = /\p{RGI_Emoji_Tag_Sequence}|\p{Default_Ignorable_Code_Point}/gv

/** White space, and the empty Braille pattern, which looks like it. */
const BLANK = /[\s\u2800]+/gu

/**
 * Returns a key that is equal for names that count as the same: it ignores case, width, the composition of letters, the kind and number of
 * spaces, and invisible characters. Lookalike letters of different scripts stay distinct.
 */
export function nameKey(name: string): string {
  if (PLAIN.test(name)) return name.toLowerCase()
  const seen = name
    .normalize('NFKC')
    .replaceAll(FLAG_OR_IGNORED, (found) => (countPoints(found) > 1 ? found : ''))
  return folded(seen).normalize('NFKC').replaceAll(BLANK, ' ').trim()
}

/**
 * Returns Unicode's full case folding, which turns `ß` and `ẞ` into `ss`. The dotless i stays distinct from i, although they have the same
 * capital.
 */
function folded(text: string): string {
  return text
    .split('ı')
    .map((part) => part.toLowerCase().toUpperCase().toLowerCase())
    .join('ı')
    .replaceAll('ς', 'σ')
}
