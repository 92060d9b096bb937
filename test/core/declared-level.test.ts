import { expect, it } from 'vitest'
import { declaredLevel } from '../../src/core/forms-by-level.ts'

const NOTHING = { header: null, userAgent: 'ParleyTest/1.0', webClient: undefined }

it.each([
  [{}, 420],
  [{ header: '484' }, 484],
  [{ header: ' 484 ' }, 484],
  [{ header: '372' }, 372],
  [{ header: '501' }, 500],
  [{ header: '999999999' }, 500],
  [{ webClient: 500 }, 500],
  [{ webClient: 700 }, 500],
  [{ header: '430', webClient: 500 }, 430],
  [{ header: 'newest', webClient: 470 }, 470],
])('is the header, else that of the web client, else 420: %j is %i', (declared, level) => {
  expect(declaredLevel({ ...NOTHING, ...declared })).toBe(level)
})

it.each(['', ' ', '-1', '4.5', '500x', '5e2', '0x1f4', '500, 500', '1'.repeat(10), 'NaN', '५००'])(
  'is that of a client without a declaration where the header is no integer: %j',
  (header) => {
    expect(declaredLevel({ ...NOTHING, header })).toBe(420)
  },
)

it.each([
  ['ZulipFlutter/30.0.274+274 (Android 14)', 481],
  ['ZulipFlutter/30.0.275+275 (iOS 17.4)', 481],
  ['ZulipFlutter/30.1.0+300 (iOS 17.4)', 481],
  ['ZulipFlutter/31.0.1+400 (Android 15)', 481],
  ['ZulipFlutter/30.0.273+273 (Android 14)', 420],
  ['ZulipFlutter/29.9.999+1 (Android 14)', 420],
  ['ZulipFlutter/30', 420],
  ['ZulipMobile/27.234 (iOS 17.4)', 420],
  ['Mozilla/5.0 ZulipFlutter/30.0.274', 420],
])('of the mobile app follows from its version: %s is %i', (userAgent, level) => {
  expect(declaredLevel({ ...NOTHING, userAgent })).toBe(level)
  expect(declaredLevel({ ...NOTHING, userAgent, header: '450' })).toBe(450)
})
