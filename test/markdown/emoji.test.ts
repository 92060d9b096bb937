import data from 'unicode-emoji-json/data-by-emoji.json' with { type: 'json' }
import { describe, expect, it } from 'vitest'
import {
  codeToNames,
  emojiCharacters,
  emojiCodeByName,
  emojiNamesByCode,
} from '../../src/markdown/emoji-data.ts'
import { emoticonNames } from '../../src/markdown/rules/emoji.ts'
import { describeCases, inParagraph } from './describe-cases.ts'

const emoji = (name: string, code: string): string => {
  const title = name.replaceAll('_', ' ')
  return `<span aria-label="${title}" class="emoji emoji-${code}" role="img" title="${title}">:${name}:</span>`
}
const custom = '<img alt=":parley:" class="emoji" src="/user_avatars/2/emoji/images/3.png" title="parley">'

describeCases(
  'emoji by name',
  inParagraph([
    [':thumbs_up:', emoji('thumbs_up', '1f44d')],
    [':+1:', emoji('+1', '1f44d')],
    [':-1:', emoji('-1', '1f44e')],
    [':smile:', emoji('smile', '1f604')],
    [':smiling_face:', emoji('smiling_face', '263a')],
    [':transgender_flag:', emoji('transgender_flag', '1f3f3-200d-26a7')],
    [':e-mail:', emoji('e-mail', '1f4e7')],
    [':8_ball:', emoji('8_ball', '1f3b1')],
    [':goose:', emoji('goose', '1fabf')],
    [':parley:', custom],
    [':smile::smile:', emoji('smile', '1f604') + emoji('smile', '1f604')],
    ['a:smile:b', `a${emoji('smile', '1f604')}b`],
    ['**:smile:**', `<strong>${emoji('smile', '1f604')}</strong>`],
    ['[:smile:](/a)', `<a href="/a">${emoji('smile', '1f604')}</a>`],
    [':no_such_emoji:', ':no_such_emoji:'],
    [':Smile:', ':Smile:'],
    [': smile:', ': smile:'],
    [':smile', ':smile'],
    ['::', '::'],
    ['12:30:45', '12:30:45'],
    ['`:smile:`', '<code>:smile:</code>'],
    [':constructor:', ':constructor:'],
  ]),
)

describeCases(
  'emoji characters',
  inParagraph([
    ['🙂', emoji('slight_smile', '1f642')],
    ['👍', emoji('+1', '1f44d')],
    ['a🙂b', `a${emoji('slight_smile', '1f642')}b`],
    ['🙂🙂', emoji('slight_smile', '1f642') + emoji('slight_smile', '1f642')],
    ['☺️', emoji('smiling_face', '263a')],
    ['❤️', emoji('heart', '2764')],
    ['🇺🇸', emoji('flag_united_states', '1f1fa-1f1f8')],
    ['👩‍💻', emoji('woman_technologist', '1f469-200d-1f4bb')],
    ['🏳️‍⚧️', emoji('transgender_flag', '1f3f3-200d-26a7')],
    ['🏳‍⚧', emoji('transgender_flag', '1f3f3-200d-26a7')],
    ['👍🏽', '👍🏽'],
    ['🧑🏽‍💻!', '🧑🏽‍💻!'],
    ['👍🏽👍', `👍🏽${emoji('+1', '1f44d')}`],
    ['🪿', emoji('goose', '1fabf')],
    ['©\ufe0f', emoji('copyright', '00a9')],
    ['1\ufe0f\u20e3#\ufe0f\u20e3', emoji('one', '0031-20e3') + emoji('hash', '0023-20e3')],
    ['1\u20e3 1\ufe0f 1', '1\u20e3 1\ufe0f 1'],
    ['👨\u200d👨\u200d👦\u200d👦\u200d👦', '👨\u200d👨\u200d👦\u200d👦\u200d👦'],
    ['👩\u200d👩 a', '👩\u200d👩 a'],
    ['🇽🇽', '🇽🇽'],
    ['🇺🇸🇺🇸', emoji('flag_united_states', '1f1fa-1f1f8').repeat(2)],
    ['日本語', '日本語'],
    ['`🙂`', '<code>🙂</code>'],
    ['[🙂](/a)', `<a href="/a">${emoji('slight_smile', '1f642')}</a>`],
    ['👩\u200d', `${emoji('woman', '1f469')}\u200d`],
    ['\u200d\ufe0f', '\u200d\ufe0f'],
    ['\ud83d', '\ufffd'],
  ]),
)

describeCases(
  'characters that are text by default are pictures only with a variation selector',
  inParagraph([
    ['✔ ☎ ☀ ▶ ☺ ❤', '✔ ☎ ☀ ▶ ☺ ❤'],
    ['©®™ ↔ 🌡', '©®™ ↔ 🌡'],
    ['✔\ufe0e', '✔\ufe0e'],
    ['✔\ufe0f', emoji('check_mark', '2714')],
    ['☎\ufe0f', emoji('phone', '260e')],
    ['☀\ufe0f', emoji('sunny', '2600')],
    ['▶\ufe0f', emoji('play', '25b6')],
    ['🌡\ufe0f', emoji('temperature', '1f321')],
    ['⌚ ⭐', `${emoji('watch', '231a')} ${emoji('star', '2b50')}`],
  ]),
)

describeCases(
  'emoticons, when they are translated',
  inParagraph([
    [':)', emoji('slight_smile', '1f642')],
    ['(:', emoji('slight_smile', '1f642')],
    ['a :( b', `a ${emoji('frown', '1f641')} b`],
    ['<3', emoji('heart', '2764')],
    [':|', emoji('neutral', '1f610')],
    [':/', emoji('confused', '1f615')],
    [';)', emoji('wink', '1f609')],
    [':D', emoji('smile', '1f604')],
    [':o :O', `${emoji('open_mouth', '1f62e')} ${emoji('open_mouth', '1f62e')}`],
    [':p :P', `${emoji('stuck_out_tongue', '1f61b')} ${emoji('stuck_out_tongue', '1f61b')}`],
    ['🙂 :)', `${emoji('slight_smile', '1f642')} ${emoji('slight_smile', '1f642')}`],
    ['a:)', 'a:)'],
    [':).', `${emoji('slight_smile', '1f642')}.`],
    [':D, :(!', `${emoji('smile', '1f604')}, ${emoji('frown', '1f641')}!`],
    ['(:D) "<3"', `(${emoji('smile', '1f604')}) "${emoji('heart', '2764')}"`],
    [':)?:(', `${emoji('slight_smile', '1f642')}?${emoji('frown', '1f641')}`],
    ['(see :))', `(see ${emoji('slight_smile', '1f642')})`],
    [':)a :D5 ::) :p-', ':)a :D5 ::) :p-'],
    ['`:)`', '<code>:)</code>'],
    ['(a :)', `(a ${emoji('slight_smile', '1f642')}`],
    ['https://example.com', '<a href="https://example.com">https://example.com</a>'],
  ]),
  { translateEmoticons: true },
)

describeCases('emoticons otherwise', inParagraph([[':) <3 :D', ':) &lt;3 :D']]))

describe('the emoji data', () => {
  it('gives every name to one emoji', () => {
    const names = Object.values(codeToNames()).flat()
    expect(new Set(names).size).toBe(names.length)
  })

  it('leads from every name to its code and back', () => {
    for (const [code, names] of Object.entries(codeToNames())) {
      for (const name of names) expect(emojiCodeByName(name)).toBe(code)
      expect(emojiNamesByCode(code)).toEqual(names)
    }
  })

  it('has only names that messages can write', () => {
    for (const name of Object.values(codeToNames()).flat()) expect(name).toMatch(/^[\p{L}\d_+-]+$/u)
  })

  it('has codes of code points without variation selectors', () => {
    for (const code of Object.keys(codeToNames())) {
      expect(code).toMatch(/^[0-9a-f]{4,6}(-[0-9a-f]{4,6})*$/)
      expect(code).not.toContain('fe0f')
    }
  })

  it('has each emoji of Unicode, and gives back its characters as Unicode writes them', () => {
    const written = Object.keys(codeToNames()).map(emojiCharacters)
    expect(written.sort()).toEqual(Object.keys(data).sort())
  })

  it('knows the emoji of today', () => {
    expect(Object.keys(codeToNames()).length).toBeGreaterThan(1900)
  })

  it.each([
    ['1f44d', ['+1', 'thumbs_up', 'like']],
    ['1f642', ['slight_smile', 'slightly_smiling_face']],
    ['1f604', ['smile', 'big_smile']],
    ['2764', ['heart', 'love', 'love_you', 'red_heart']],
    ['0031-20e3', ['one', 'keycap_1']],
  ])('%s is %j', (code, names) => {
    expect(emojiNamesByCode(code)).toEqual(names)
  })

  it('knows nothing of others', () => {
    expect(emojiCodeByName('no_such_emoji')).toBeUndefined()
    expect(emojiCodeByName('constructor')).toBeUndefined()
    expect(emojiNamesByCode('ffff')).toEqual([])
  })

  it('has an emoji for every emoticon', () => {
    expect(emoticonNames.size).toBeGreaterThan(5)
    for (const name of emoticonNames.values()) expect(emojiCodeByName(name)).toMatch(/^[0-9a-f]+$/)
  })
})
