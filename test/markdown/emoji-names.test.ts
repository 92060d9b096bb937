import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { codeToNames, emojiCodeByName, emojiNamesByCode } from '../../src/markdown/emoji-data.ts'

/** Names of the newest list that other programs use, by code without variation selectors. */
const THEIRS = new Map(
  readFileSync(new URL('../data/emoji-datasource-16.txt', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [code, ...names] = line.split(' ')
      return [code!, names] as const
    }),
)

const OURS = new Set(Object.keys(codeToNames()))

/** Skin tones have no name of their own in the public list: they come with an emoji. */
const NOT_ALONE = ['1f3fb', '1f3fc', '1f3fd', '1f3fe', '1f3ff']

/** Emoji of Unicode 17, which that list does not have yet. */
const NEWER = ['1f6d8', '1f9d1-200d-1fa70', '1fa8a', '1fa8e', '1fac8', '1facd', '1faea', '1faef']

/**
 * Names that mean another emoji there than here. The public server has its own list of preferred names, and its clients, which get theirs
 * from the server, send them with these codes; messages that have been written with them would otherwise change.
 */
const OTHERWISE = new Map([
  ['ok', '1f44c'],
  ['up', '2b06'],
  ['moon', '1f319'],
  ['sun_behind_cloud', '26c5'],
  ['medal', '1f3c5'],
  ['ticket', '1f39f'],
  ['football', '26bd'],
  ['camping', '26fa'],
  ['post_office', '1f3e4'],
  ['mouse', '1f401'],
  ['cow', '1f404'],
  ['tiger', '1f405'],
  ['rabbit', '1f407'],
  ['cat', '1f408'],
  ['horse', '1f40e'],
  ['dog', '1f415'],
  ['pig', '1f416'],
  ['feet', '1f463'],
  ['kiss', '1f617'],
  ['dizzy', '1f635'],
  ['chart', '1f4c8'],
  ['date', '1f4c6'],
  ['calendar', '1f4c5'],
  ['pencil', '270f'],
  ['newspaper', '1f5de'],
  ['sound', '1f50a'],
  ['metro', '24c2'],
  ['tram', '1f68b'],
  ['train', '1f682'],
  ['truck', '1f69b'],
  ['traffic_light', '1f6a6'],
  ['construction', '1f3d7'],
  ['scooter', '1f6f5'],
  ['cricket', '1f3cf'],
  ['scientist', '1f52c'],
  ['receipt', '1f4c3'],
  ['beetle', '1f41e'],
  ['hourglass', '23f3'],
  ['point_up', '1f446'],
  ['golf', '1f3cc'],
  ['x', '274e'],
  ['loop', '27b0'],
  ['o', '1f17e'],
  ['secret', '1f5dd'],
])

describe('names of emoji', () => {
  it('are there for each emoji of the newest list, and no others but newer ones', () => {
    expect([...THEIRS.keys()].filter((code) => !OURS.has(code))).toEqual(NOT_ALONE)
    expect([...OURS.keys()].filter((code) => !THEIRS.has(code))).toEqual(NEWER)
  })

  it('mean what they mean in the newest list, but for those with a reason', () => {
    const otherwise = [...THEIRS].flatMap(([code, names]) =>
      names.flatMap((name) => {
        const own = emojiCodeByName(name)
        return own === undefined || own === code ? [] : [[name, own] as const]
      }),
    )
    expect(new Map(otherwise)).toEqual(OTHERWISE)
  })

  it('of flags and newer emoji are those of CLDR, with a spelling in ASCII', () => {
    for (const [code, names] of [
      ['1f1f9-1f1f7', ['flag_türkiye', 'flag_turkiye']],
      ['1f1f7-1f1ea', ['flag_réunion', 'flag_reunion']],
      ['1f1e7-1f1e6', ['flag_bosnia_and_herzegovina', 'flag_bosnia_herzegovina']],
      ['1f1fa-1f1f2', ['flag_us_outlying_islands', 'flag_u_s_outlying_islands']],
      ['1fabf', ['goose', 'fowl']],
      ['1fae1', ['saluting_face', 'salute', 'troops']],
    ] as const) {
      expect(emojiNamesByCode(code).slice(0, names.length)).toEqual(names)
    }
    expect(emojiNamesByCode('1fabf')).toContain('honk')
  })

  it('of smiles are those of the newest public list', () => {
    expect(['smile', 'big_smile', 'slight_smile', 'smiling_face', 'smiley'].map(emojiCodeByName)).toEqual([
      '1f604',
      '1f604',
      '1f642',
      '263a',
      '1f603',
    ])
  })
})
