import { describe, expect, it } from 'vitest'
import { keysOfImage, mediumPath, readImagePath } from '../../src/store/images/public-image.ts'

const NAME = '0123456789abcdef0123456789abcdef'
const KEY = `images/7/${NAME}`
const image = (contentType: string, ...keys: string[]) => ({
  realmId: 7,
  keys: keys.length > 0 ? keys : [KEY],
  contentType,
})

describe('the address of an image', () => {
  it.each([
    [`/user_avatars/7/${NAME}.png`, image('image/png')],
    [`/user_avatars/7/${NAME}.jpg`, image('image/jpeg')],
    [`/user_avatars/7/${NAME}-still.gif`, image('image/gif', `${KEY}-still`)],
    // Apps ask for a larger avatar by this URL. The earliest avatars have one size only.
    [`/user_avatars/7/${NAME}-medium.png`, image('image/png', `${KEY}-medium`, KEY)],
    [`/user_avatars/7/${NAME}.jpg-medium.png`, image('image/jpeg')],
    [`/user_avatars/7/${NAME}.webp-medium.png`, image('image/webp')],
    [`/user_avatars/7/${NAME}`, undefined],
    [`/user_avatars/7/${NAME}-large.png`, undefined],
    [`/user_avatars/7/${NAME}.svg`, undefined],
    [`/user_avatars/7/${NAME}.svg-medium.png`, undefined],
    [`/user_avatars/7/${NAME}-medium.jpg`, undefined],
    [`/user_avatars/7/../${NAME}-medium.png`, undefined],
  ])('%s', (path, found) => {
    expect(readImagePath(path)).toEqual(found)
  })
})

describe('the larger avatar', () => {
  it.each([
    ['/user_avatars/7/abc.png', '/user_avatars/7/abc-medium.png'],
    // The earliest avatars have one size only, and any format.
    ['/user_avatars/7/abc.jpg', '/user_avatars/7/abc.jpg'],
  ])('of %s is at %s', (path, medium) => expect(mediumPath(path)).toBe(medium))
})

describe('the files removed with an image', () => {
  it('are all its sizes, and only the file itself for anything else', () => {
    expect(keysOfImage(KEY)).toEqual([KEY, `${KEY}-medium`, `${KEY}-still`])
    expect(keysOfImage('user_uploads/7/x')).toEqual(['user_uploads/7/x'])
  })
})
