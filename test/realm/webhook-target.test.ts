import { describe, expect, it } from 'vitest'
import { isAllowedTarget } from '../../src/realm/webhook-target.ts'

describe('a webhook may be posted', () => {
  it.each([
    'https://example.com/hook',
    'http://example.com:8080/',
    'https://hooks.example.com.:8443/a?b=c',
    'http://93.184.216.34/',
    'http://172.32.0.1/',
    'http://[2606:2800:220:1::1]/',
  ])('to %s', (address) => {
    expect(isAllowedTarget(address, [])).toBe(true)
  })

  it.each([
    'no address',
    'ftp://example.com/',
    'file:///etc/passwd',
    'https://example.com:22/',
    'http://localhost/',
    'http://LOCALHOST./',
    'http://db.internal/',
    'http://printer.local/',
    'http://intranet/',
    'http://127.0.0.1/',
    'http://127.1/',
    'http://0x7f000001/',
    'http://2130706433/',
    'http://0177.0.0.1/',
    'http://10.1.2.3/',
    'http://100.64.0.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://172.16.0.1/',
    'http://172.31.255.255/',
    'http://192.168.1.1/',
    'http://198.19.0.1/',
    'http://0.0.0.0/',
    'http://224.0.0.1/',
    'http://255.255.255.255/',
    'http://[::1]/',
    'http://[::]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:a00:1]/',
    'http://[64:ff9b::a00:1]/',
    'http://[fc00::1]/',
    'http://[fe80::1]/',
    'http://[ff02::1]/',
    'http://[2002:7f00:1::]/',
    'http://[2001::1]/',
    'http://[2001:db8::1]/',
  ])('not to %s', (address) => {
    expect(isAllowedTarget(address, [])).toBe(false)
  })

  it('to places of the configuration, with exactly their port', () => {
    expect(isAllowedTarget('http://localhost:9000/hook', ['localhost:9000'])).toBe(true)
    expect(isAllowedTarget('http://localhost:9001/hook', ['localhost:9000'])).toBe(false)
    expect(isAllowedTarget('ftp://localhost:9000/hook', ['localhost:9000'])).toBe(false)
  })
})
