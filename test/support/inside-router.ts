/** The router as the Worker has it; it needs the platform's modules. */
export { buildRouter } from '../../src/http/router.ts'
