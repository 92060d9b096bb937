import { expect, it } from 'vitest'
import {
  ANNOUNCED_LEVEL,
  declaredLevel,
  getsRepresentation,
  REPRESENTATION_CHANGES,
  type Representation,
  representationsKey,
} from '../../src/core/representations-by-level.ts'

const NOTHING = { header: null, userAgent: 'ParleyTest/1.0', webClient: undefined }

it.each([
  [{}, undefined],
  [{ header: '484' }, 484],
  [{ header: ' 484 ' }, 484],
  [{ header: '372' }, 372],
  [{ header: '420' }, 420],
  [{ header: '501' }, 501],
  [{ header: '511' }, 510],
  [{ header: '999999999' }, 510],
  [{ webClient: 500 }, 500],
  [{ webClient: 700 }, 510],
  [{ header: '430', webClient: 500 }, 430],
  [{ header: 'newest', webClient: 470 }, 470],
])('is the header, else that of the web client, else none: %j is %j', (declared, level) => {
  expect(declaredLevel({ ...NOTHING, ...declared })).toBe(level)
})

it.each(['', ' ', '-1', '4.5', '500x', '5e2', '0x1f4', '500, 500', '1'.repeat(10), 'NaN', '५००'])(
  'is none where the header is no integer: %j',
  (header) => {
    expect(declaredLevel({ ...NOTHING, header })).toBeUndefined()
  },
)

it.each([
  ['ZulipFlutter/30.0.274+274 (Android 14)', 500],
  ['ZulipFlutter/30.0.275+275 (iOS 17.4)', 500],
  ['ZulipFlutter/30.1.0+300 (iOS 17.4)', 500],
  ['ZulipFlutter/31.0.1+400 (Android 15)', 500],
  ['ZulipTerminal/0.7.0 Linux (Linux; 6.1)', 438],
  ['ZulipTerminal/0.7.0+git Linux (Linux; 6.1)', 438],
  ['ZulipFlutter/30.0.273+273 (Android 14)', undefined],
  ['ZulipFlutter/29.9.999+1 (Android 14)', undefined],
  ['ZulipFlutter/30', undefined],
  ['ZulipMobile/27.234 (iOS 17.4)', undefined],
  ['ZulipPython/0.9.1 (Debian GNU/Linux; 13)', undefined],
  ['ZulipElectron/5.12.0', undefined],
  ['Mozilla/5.0 ZulipFlutter/30.0.274', undefined],
])('of a known client follows from its name: %s is %j', (userAgent, level) => {
  expect(declaredLevel({ ...NOTHING, userAgent })).toBe(level)
  expect(declaredLevel({ ...NOTHING, userAgent, header: '450' })).toBe(450)
})

const REPRESENTATIONS = Object.entries(REPRESENTATION_CHANGES) as [
  Representation,
  (typeof REPRESENTATION_CHANGES)[Representation],
][]

it.each(REPRESENTATIONS)('is that of its level on, and not below: %s', (form, { since }) => {
  expect(getsRepresentation({ level: since - 1 }, form)).toBe(false)
  expect(getsRepresentation({ level: since }, form)).toBe(true)
})

it('without a declaration is the announced level’s, except where the document shows the older one', () => {
  const older = REPRESENTATIONS.filter(([form]) => !getsRepresentation({}, form)).map(([form]) => form)
  expect(older).toEqual([
    'uploads with times in seconds',
    'web_home_view named recent',
    'description by update_dict',
    'uploads with message_ids',
    // Of levels above the announced one.
    ...REPRESENTATIONS.filter(([, { since }]) => since > ANNOUNCED_LEVEL).map(([form]) => form),
  ])
})

it.each([undefined, 0, 402, 403, 420, 472, 483, 484, 500, 506, 507, 510, 512])(
  'has a key with equal forms: %j',
  (level) => {
    const key = representationsKey(level === undefined ? {} : { level })
    for (const [form] of REPRESENTATIONS) {
      const [by, as] = [level, key].map((one) =>
        getsRepresentation(one === undefined ? {} : { level: one }, form),
      )
      expect([form, as]).toEqual([form, by])
    }
  },
)
