import { describe } from 'vitest'
import { ACCOUNTS } from '../permission-matrix/cast.ts'
import { inspectTable } from '../permission-matrix/inspect-table.ts'
import { neverEvict } from '../support/never-evict.ts'
import { useReliableD1 } from '../support/reliable-d1.ts'

// For actors whom a row treats alike, test/http/permission-matrix.large.test.ts makes its request as only two of them.

neverEvict()
useReliableD1()

describe('the permission matrix, as everybody', () => inspectTable(() => ACCOUNTS))
