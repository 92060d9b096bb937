import { expect, it } from 'vitest'
import { browserSurroundings } from '../../web/api/surroundings.ts'

it.each([
  ['', ''],
  ['csrftoken=a', 'a'],
  ['csrftoken=planted; __Host-csrftoken=b', 'b'],
  ['x__Host-csrftoken=x; theme=dark;  __Host-csrftoken=b; csrftoken=planted', 'b'],
  ['xcsrftoken=x', ''],
])('the page sends the token of its own host: %j', (cookies, token) => {
  const { csrfToken } = browserSurroundings(
    () => cookies,
    () => true,
  )
  expect(csrfToken()).toBe(token)
})
