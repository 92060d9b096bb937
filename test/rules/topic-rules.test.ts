import { describe, expect, test } from 'vitest'
import {
  effectiveTopicsPolicy,
  isResolveToggle,
  requireResolvableName,
  requireTopicAllowed,
} from '../../src/rules/topic-rules.ts'
import { refusal } from './refusal.ts'

test.each([
  ['inherit', 'allow_empty_topic', 'allow_empty_topic'],
  ['inherit', 'disable_empty_topic', 'disable_empty_topic'],
  ['allow_empty_topic', 'disable_empty_topic', 'allow_empty_topic'],
  ['disable_empty_topic', 'allow_empty_topic', 'disable_empty_topic'],
  ['empty_topic_only', 'disable_empty_topic', 'empty_topic_only'],
] as const)('channel %s in an organization with %s: %s', (channel, realm, expected) => {
  expect(effectiveTopicsPolicy(channel, realm)).toBe(expected)
})

describe('topics policy', () => {
  const required = 'Sending messages to the general chat is not allowed in this channel.'
  const emptyOnly = 'Only the general chat topic is allowed in this channel.'
  test.each([
    ['lunch', 'allow_empty_topic', null],
    ['', 'allow_empty_topic', null],
    ['(no topic)', 'allow_empty_topic', null],
    ['lunch', 'disable_empty_topic', null],
    ['', 'disable_empty_topic', required],
    ['(no topic)', 'disable_empty_topic', required],
    ['general chat', 'disable_empty_topic', required],
    ['General Chat', 'disable_empty_topic', null],
    ['', 'empty_topic_only', null],
    ['lunch', 'empty_topic_only', emptyOnly],
    ['(no topic)', 'empty_topic_only', emptyOnly],
  ] as const)('%j under %s', (topic, policy, expected) => {
    expect(refusal(() => requireTopicAllowed(topic, policy))).toBe(expected)
  })
})

test.each([
  ['lunch', '✔ lunch', true],
  ['✔ lunch', 'lunch', true],
  ['✔ ✔ lunch', 'lunch', true],
  ['✔ ✔✔ lunch', 'lunch', true],
  ['✔ lunch', '✔ ✔ lunch', false],
  ['✔ ✔ lunch', '✔ lunch', false],
  ['lunch', '✔ dinner', false],
  ['lunch', '✔lunch', false],
  ['✔ lunch', 'Lunch', false],
  ['lunch', 'dinner', false],
  ['✔lunch', '✔ ✔lunch', true],
])('%j to %j is a resolve toggle: %s', (oldTopic, newTopic, expected) => {
  expect(isResolveToggle(oldTopic, newTopic)).toBe(expected)
})

test.each([
  ['✔', true],
  ['✔ general chat', true],
  ['✔ lunch', false],
  ['', false],
  ['general chat', false],
])('%j is refused as a resolved empty topic: %s', (topic, refused) => {
  expect(refusal(() => requireResolvableName(topic))).toBe(
    refused ? 'General chat cannot be marked as resolved' : null,
  )
})
