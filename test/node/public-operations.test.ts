import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { isServed, OPERATIONS_FILE, type PublicOperation } from '../compatibility/public-operations.ts'
import { untried } from '../compatibility/untried-operations.ts'
import { fromJson } from '../support/json.ts'
import type { RequestedRoutes } from '../support/requested-routes.ts'

const operations = fromJson<PublicOperation[]>(readFileSync(OPERATIONS_FILE, 'utf8'))

describe('the operations of the public API', () => {
  it.each(operations.filter(({ priority }) => priority <= 2))(
    '$method $path is served: the interface document has it, or clients need it',
    (operation) => {
      expect(isServed(operation)).toBe(true)
    },
  )
})

/** A run of all tests fails with these (compatibility/operations-reporter.ts). */
describe('operations that no test tries', () => {
  const needed = [
    { method: 'GET', path: '/users/me' },
    { method: 'GET', path: '/users/{user_id}' },
    { method: 'GET', path: '/users/{email}' },
    { method: 'DELETE', path: '/users/{user_id}' },
  ]

  it('are those without a successful request', () => {
    const asked: RequestedRoutes[] = [
      { 'GET /api/v1/users/me': true, 'DELETE /api/v1/users/12': false },
      { 'GET /api/v1/users/12': false, 'GET /api/v1/users/12/avatar': true },
      { 'GET /api/v1/users/12': true },
    ]
    expect(untried(needed, [], asked)).toEqual([
      'GET /users/{name}: never answered with success',
      'DELETE /users/{id}: never answered with success',
    ])
  })

  it('are those to be listed as untried', () => {
    const declared = [
      { method: 'POST', path: '/calls/zoom/create' },
      { method: 'DELETE', path: '/users/:user_id' },
    ]
    expect(untried([], declared, [{ 'POST /api/v1/calls/zoom/create': false }])).toEqual([
      'DELETE /users/{id}: never asked',
    ])
  })

  it('are none when each was requested, uploads at their URLs included', () => {
    const file = { method: 'GET', path: '/user_uploads/{realm_id}/{filename}' }
    const asked = { 'GET /user_uploads/1/ab/secret/file.txt': true }
    expect(untried([file], [], [asked])).toEqual([])
  })
})
