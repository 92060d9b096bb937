import { describe } from 'vitest'
import { ACCOUNTS } from '../permission-matrix/cast.ts'
import { inspectTable } from '../permission-matrix/inspect-table.ts'
import { neverEvict } from '../support/never-evict.ts'
import { useReliableD1 } from '../support/reliable-d1.ts'

// Of those whom a row does not tell apart test/http/permission-matrix.test.ts asks it as two.

neverEvict()
useReliableD1()

describe('the permission matrix, as everybody', () => inspectTable(() => ACCOUNTS))
