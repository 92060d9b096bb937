import { PassThrough } from 'node:stream'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { isAgreedTo } from '../../scripts/agreement.ts'

const own = Object.getOwnPropertyDescriptor(process, 'stdin')!
afterEach(() => {
  Object.defineProperty(process, 'stdin', own)
  vi.restoreAllMocks()
})

/** Lets the process be asked at a terminal, or at none, where somebody types a line. */
function typing(line: string, isTTY: boolean): void {
  const input = Object.assign(new PassThrough(), { isTTY })
  input.write(`${line}\n`)
  Object.defineProperty(process, 'stdin', { value: input, configurable: true })
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
}

describe('a question of a command', () => {
  it.each([
    ['y', true],
    [' YES ', true],
    ['', false],
    ['n', false],
    ['yesterday', false],
  ])('is answered with yes by y and yes alone: %j', async (line, isYes) => {
    typing(line, true)
    expect(await isAgreedTo('Go on?')).toBe(isYes)
  })

  it('is answered with no where there is no terminal', async () => {
    typing('y', false)
    expect(await isAgreedTo('Go on?')).toBe(false)
  })
})
