/** Exports the Worker's router, which needs the platform's modules. */
export { buildRouter } from '../../src/http/router.ts'
