import { describe, expect, it } from 'vitest'
import { readImagePath } from '../../src/domain/images/public-image.ts'

const NAME = '0123456789abcdef0123456789abcdef'
const image = (contentType: string, key = `images/7/${NAME}`) => ({ realmId: 7, key, contentType })

describe('the address of an image', () => {
  it.each([
    [`/user_avatars/7/${NAME}.png`, image('image/png')],
    [`/user_avatars/7/${NAME}.jpg`, image('image/jpeg')],
    [`/user_avatars/7/${NAME}-still.gif`, image('image/gif', `images/7/${NAME}-still`)],
    // As apps ask for a larger avatar.
    [`/user_avatars/7/${NAME}-medium.png`, image('image/png')],
    [`/user_avatars/7/${NAME}.jpg-medium.png`, image('image/jpeg')],
    [`/user_avatars/7/${NAME}.webp-medium.png`, image('image/webp')],
    [`/user_avatars/7/${NAME}`, undefined],
    [`/user_avatars/7/${NAME}.svg`, undefined],
    [`/user_avatars/7/${NAME}.svg-medium.png`, undefined],
    [`/user_avatars/7/${NAME}-medium.jpg`, undefined],
    [`/user_avatars/7/../${NAME}-medium.png`, undefined],
  ])('%s', (path, found) => {
    expect(readImagePath(path)).toEqual(found)
  })
})
