import { expect, it } from 'vitest'
import { plainOf } from '../../web/state/plain-markdown.ts'

it.each([
  [
    'formats, one within another',
    'The **soup** is *very **hot***, ~~not cold~~',
    'The soup is very hot, not cold',
  ],
  ['signs within code', 'Run `a ** b ** c` with $$x^2$$', 'Run a ** b ** c with x^2'],
  ['mentions', '@**Bea Baker|7**, @_**Ann** and @*kitchen*', '@Bea Baker, @Ann and @kitchen'],
  ['links to conversations', 'In #**general** or #**general>lunch**', 'In #general or #general > lunch'],
  ['links and files', '[the **menu**](https://a.example) ![b.png](/user_uploads/1/b.png)', 'the menu b.png'],
  ['the beginnings of lines', '# Menu\n* one\n- two\n> three', 'Menu one two three'],
  ['fences', '```quote\nOne\n```\nTwo', 'One Two'],
  [
    'nothing that is no format',
    '2*3 and 4*5 -1 snake_case_name **open',
    '2*3 and 4*5 -1 snake_case_name **open',
  ],
])('leaves the words of Markdown: without %s', (_, markdown, words) => {
  expect(plainOf(markdown)).toBe(words)
})
