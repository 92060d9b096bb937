export { HOW_ERASED, HOW_ERASED_IN_D1 } from '../../src/store/erasure/how-erased.ts'
