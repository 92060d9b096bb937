import { expect, it } from 'vitest'
import { realBrowserApi } from '../../web/api/browser-api.ts'

it.each([
  ['', ''],
  ['csrftoken=a', 'a'],
  ['csrftoken=planted; __Host-csrftoken=b', 'b'],
  ['x__Host-csrftoken=x; theme=dark;  __Host-csrftoken=b; csrftoken=planted', 'b'],
  ['xcsrftoken=x', ''],
])('the page sends the token of its own host: %j', (cookies, token) => {
  const { csrfToken } = realBrowserApi(
    () => cookies,
    () => true,
  )
  expect(csrfToken()).toBe(token)
})
