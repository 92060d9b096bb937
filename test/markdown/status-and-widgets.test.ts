import { describe, expect, it } from 'vitest'
import { renderMarkdown } from '../../src/markdown/render.ts'
import { parseWidget } from '../../src/markdown/widgets.ts'
import { describeCases } from './describe-cases.ts'
import { lookups } from './lookups.ts'

describeCases('status messages and widgets are rendered as text', [
  ['/me waves', '<p>/me waves</p>'],
  ['/me **waves**\nand goes', '<p>/me <strong>waves</strong><br>\nand goes</p>'],
  ['/poll lunch?\n- pizza\n- sushi', '<p>/poll lunch?</p>\n<ul>\n<li>pizza</li>\n<li>sushi</li>\n</ul>'],
  ['/todo list\na: b', '<p>/todo list<br>\na: b</p>'],
])

describe('status messages', () => {
  it.each([
    ['/me waves', true],
    ['/me waves\n\nand goes', true],
    ['/me', false],
    ['/meow', false],
    [' /me waves', false],
    ['say /me waves', false],
    ['/ME waves', false],
    ['> /me waves', false],
  ])('%s: %s', (source, expected) => {
    expect(renderMarkdown(source, lookups).isMeMessage).toBe(expected)
  })
})

const poll = (question: string, options: string[]) => ({
  widget_type: 'poll',
  extra_data: { question, options },
})
const todo = (title: string, tasks: { task: string; desc: string }[]) => ({
  widget_type: 'todo',
  extra_data: { task_list_title: title, tasks },
})

describe('widgets', () => {
  it.each([
    ['/poll', poll('', [])],
    ['/poll lunch?', poll('lunch?', [])],
    ['/poll lunch?\npizza\nsushi', poll('lunch?', ['pizza', 'sushi'])],
    ['/poll lunch?\n- pizza\n* sushi\n\n  -  soup ', poll('lunch?', ['pizza', 'sushi', 'soup'])],
    ['/poll\npizza', poll('', ['pizza'])],
    ['  /poll lunch?  ', poll('lunch?', [])],
    ['/poll a\n-5 degrees', poll('a', ['-5 degrees'])],
    ['/poll lunch?\npizza\n- sushi\n pizza \nPizza', poll('lunch?', ['pizza', 'sushi', 'Pizza'])],
    ['/todo', todo('Task list', [])],
    ['/todo chores', todo('chores', [])],
    [
      '/todo chores\ndishes\nfloor: the kitchen: all of it',
      todo('chores', [
        { task: 'dishes', desc: '' },
        { task: 'floor', desc: 'the kitchen: all of it' },
      ]),
    ],
    [
      '/todo chores\ndishes: the large ones\nfloor\ndishes\ndishes: the small ones',
      todo('chores', [
        { task: 'dishes', desc: 'the large ones' },
        { task: 'floor', desc: '' },
      ]),
    ],
    ['/todo\n- a', todo('Task list', [{ task: 'a', desc: '' }])],
  ])('%j', (source, widget) => {
    expect(parseWidget(source)).toEqual(widget)
  })

  it.each(['', 'poll', '/polls', '/pollution', 'a /poll b', '/Poll a', '//poll a', '/me polls'])(
    '%j is none',
    (source) => {
      expect(parseWidget(source)).toBeUndefined()
    },
  )
})
