import { describe, expect, it } from 'vitest'
import { findIntegration } from '../../src/integrations/index.ts'
import {
  hmac,
  isRecent,
  isSameText,
  secretInHeader,
  signedInHex,
  signedInList,
} from '../../src/integrations/signatures.ts'

const delivery = (text: string, headers: Readonly<Record<string, string>>, now = 1_000) => ({
  body: new TextEncoder().encode(text),
  hmac: (secret: string) => hmac(secret, [text]),
  header: (name: string) => headers[name] ?? '',
  address: '',
  now,
})

describe('a signature', () => {
  it('in a header is that of the whole body with the secret', () => {
    // The example of GitHub's documentation.
    const secret = "It's a Secret to Everybody"
    const signature = '757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17'
    const { verify } = signedInHex('X-Hub-Signature-256', 'sha256=')
    const signed = (text: string, value: string) => delivery(text, { 'X-Hub-Signature-256': value })
    expect(verify(signed('Hello, World!', `sha256=${signature}`), secret)).toBe(true)
    for (const wrong of [signature, `sha256=${signature.slice(1)}`, `sha1=${signature}`, 'sha256=', '']) {
      expect(verify(signed('Hello, World!', wrong), secret)).toBe(false)
    }
    expect(verify(signed('Hello, World', `sha256=${signature}`), secret)).toBe(false)
    expect(verify(signed('Hello, World!', `sha256=${signature}`), `${secret}!`)).toBe(false)
  })

  it('may be of several parts, and the secret itself', () => {
    expect(hmac('key', ['a', new TextEncoder().encode('b')])).toBe(hmac('key', ['ab']))
    expect(hmac('key', ['ab'], 'base64')).not.toBe(hmac('key', ['ab']))
    const { verify } = secretInHeader('X-Token')
    expect(verify(delivery('', { 'X-Token': 'secret' }), 'secret')).toBe(true)
    expect(verify(delivery('', { 'X-Token': '' }), 'secret')).toBe(false)
    expect(isSameText('a', 'a')).toBe(true)
  })

  it('may be one of several in a header, while the sender changes its secret', () => {
    const { verify } = signedInList('X-Signature')
    const right = hmac('secret', ['body'])
    const signed = (value: string) => verify(delivery('body', { 'X-Signature': value }), 'secret')
    expect([`v1=${right}`, `v1=abc, v1=${right}`, `t=1,v0=x,v1=${right}`].map(signed)).toEqual([
      true,
      true,
      true,
    ])
    expect(['', right, `v0=${right}`, 'v1=', `v1=${right.slice(1)}`].map(signed)).toEqual(
      Array(5).fill(false),
    )
    expect(signed(`${'v1=abc,'.repeat(100)}v1=${right}`)).toBe(false)
  })

  it('is valid for five minutes if it has a time', () => {
    expect([699, 700, 1_300, 1_301].map((at) => isRecent(String(at), 1_000))).toEqual([
      false,
      true,
      true,
      false,
    ])
    expect(['', 'x', '1e3', '-1'].map((at) => isRecent(at, 0))).toEqual([false, false, false, false])
  })

  it.each([
    ['gitlab', { 'X-Gitlab-Token': 'secret' }],
    ['gitea', { 'X-Gitea-Signature': hmac('secret', ['body']) }],
    ['forgejo', { 'X-Forgejo-Signature': hmac('secret', ['body']) }],
    ['gogs', { 'X-Hub-Signature-256': `sha256=${hmac('secret', ['body'])}` }],
    ['bitbucket2', { 'X-Hub-Signature': `sha256=${hmac('secret', ['body'])}` }],
  ])('is found where %s has it', (name, headers) => {
    const { verify } = findIntegration(name)!
    expect(verify!(delivery('body', headers), 'secret')).toBe(true)
    expect(verify!(delivery('body', headers), 'secreT')).toBe(false)
    expect(verify!(delivery('body', {}), 'secret')).toBe(false)
  })
})
