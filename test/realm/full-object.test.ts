import { expect, it } from 'vitest'
import { StorageGauge } from '../../src/realm/calls/storage-room.ts'
import { MAX_OBJECT } from '../support/limits.ts'

it('a full object is measured whenever a user asks', () => {
  const sql = { databaseSize: MAX_OBJECT }
  const gauge = new StorageGauge(sql)
  expect(gauge.bytes).toBe(MAX_OBJECT)
  sql.databaseSize = 1_000
  expect(gauge.bytes).toBe(1_000)
})
