import { describe, expect, it } from 'vitest'
import { heldKey, latinKey } from '../../web/state/pressed-key.ts'

const pressed = (key: string, code: string, shiftKey = false) => ({ key, code, shiftKey })

describe('a shortcut', () => {
  it.each([
    ['ن', 'KeyK', false, 'k'],
    ['ى', 'KeyN', false, 'n'],
    ['لا', 'KeyB', false, 'b'],
    ['О', 'KeyJ', true, 'J'],
    ['ظ', 'Slash', false, '/'],
    ['؟', 'Slash', true, '?'],
    ['Ж', 'Semicolon', true, ':'],
    ['ю', 'Period', false, '.'],
  ] as const)('is pressed by %s (%s, Shift %s) as by %s', (key, code, shiftKey, latin) => {
    expect(latinKey(pressed(key, code, shiftKey))).toBe(latin)
  })

  it.each([
    ['ö', 'Semicolon'],
    ['z', 'KeyY'],
    ['£', 'Digit3'],
    ['ArrowDown', 'ArrowDown'],
    ['/', 'Digit7'],
    [' ', 'Space'],
  ])('is the sign that a Latin keyboard writes: %s (%s)', (key, code) => {
    expect(latinKey(pressed(key, code))).toBe(key)
  })

  it.each([
    ['(', 'Digit8', true, '8'],
    ['*', 'Digit8', true, '8'],
    ['7', 'Digit7', true, '7'],
    ['/', 'Digit7', true, '7'],
    ['B', 'KeyB', false, 'b'],
    ['X', 'KeyX', true, 'x'],
    ['لا', 'KeyB', false, 'b'],
  ] as const)('for a format is %s (%s, Shift %s) of any keyboard, as %s', (key, code, shiftKey, name) => {
    expect(heldKey(pressed(key, code, shiftKey))).toBe(name)
  })
})
