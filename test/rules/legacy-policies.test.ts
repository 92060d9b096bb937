import { expect, test } from 'vitest'
import {
  createChannelPolicy,
  createWebPublicChannelPolicy,
  type GroupSettingValue,
  postPolicy,
  wildcardMentionPolicy,
} from '../../src/rules/group-setting-values.ts'
import { only } from './build-facts.ts'

interface Expected {
  mention: number
  create: number
  createWebPublic: number
  post: number
}

const cases: [string, GroupSettingValue, Expected][] = [
  ['nobody', 1, { mention: 6, create: 2, createWebPublic: 6, post: 1 }],
  ['nobody, as an empty list', only(), { mention: 6, create: 2, createWebPublic: 6, post: 1 }],
  ['owners', 2, { mention: 5, create: 2, createWebPublic: 7, post: 1 }],
  ['administrators', 3, { mention: 5, create: 2, createWebPublic: 2, post: 2 }],
  ['moderators', 4, { mention: 7, create: 4, createWebPublic: 4, post: 4 }],
  ['full members', 5, { mention: 3, create: 3, createWebPublic: 4, post: 3 }],
  ['members', 6, { mention: 2, create: 1, createWebPublic: 4, post: 1 }],
  ['everyone', 7, { mention: 1, create: 1, createWebPublic: 4, post: 1 }],
  ['a custom group', 20, { mention: 1, create: 1, createWebPublic: 4, post: 1 }],
  ['a list', only(5), { mention: 1, create: 1, createWebPublic: 4, post: 1 }],
]

test.each(cases)('%s', (_case, value, expected) => {
  expect({
    mention: wildcardMentionPolicy(value),
    create: createChannelPolicy(value),
    createWebPublic: createWebPublicChannelPolicy(value),
    post: postPolicy(value),
  }).toEqual(expected)
})
