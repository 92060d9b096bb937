import { describe, expect, it } from 'vitest'
import { credentialJson } from '../../web/api/credential-json.ts'
import { fromJson, type Json } from '../support/json.ts'

const bytes = (...values: number[]) => Uint8Array.from(values).buffer

/** The object with which a password manager answers: its fields are there, while what it inherits of the browser's throws. */
class OfManager {
  readonly type = 'public-key'
  readonly rawId = bytes(255, 254, 253)
  readonly id: string = 'another spelling'
  readonly response: object

  constructor(response: object) {
    this.response = response
  }

  toJSON(): never {
    throw new TypeError('Illegal invocation')
  }
}

const jsonOf = (response: object): Json => fromJson(credentialJson(new OfManager(response)))

describe('the answer of a passkey', () => {
  it('is read field by field, whatever its toJSON does', () => {
    const clientDataJSON = bytes(1)
    const answer = { clientDataJSON, authenticatorData: bytes(2, 3), signature: bytes(251, 255) }
    const names = { id: '__79', rawId: '__79', type: 'public-key' }
    const read = { clientDataJSON: 'AQ', authenticatorData: 'AgM', signature: '-_8' }
    expect(jsonOf({ ...answer, userHandle: bytes(4) })).toEqual({
      ...names,
      response: { ...read, userHandle: 'BA' },
    })
    expect(jsonOf({ ...answer, userHandle: null })).toEqual({ ...names, response: read })
    const made = { clientDataJSON, attestationObject: bytes(5), getTransports: () => ['internal'] }
    expect(jsonOf(made)).toEqual({
      ...names,
      response: { clientDataJSON: 'AQ', attestationObject: 'BQ', transports: ['internal'] },
    })
  })

  it('may lack transports, which are only a hint', () => {
    const made = { clientDataJSON: bytes(1), attestationObject: bytes(5) }
    expect(jsonOf(made).response.transports).toEqual([])
    const inherited = { ...made, getTransports: () => new OfManager({}).toJSON() }
    expect(jsonOf(inherited).response.transports).toEqual([])
  })

  it('is none where the browser has given none', () => {
    expect(() => credentialJson(null)).toThrow(TypeError)
  })
})
