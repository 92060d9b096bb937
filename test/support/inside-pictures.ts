/** Pictures as pixels. Loading this loads the codecs. */
export type { Pixels } from '../../src/images/picture.ts'
export { decodePng } from '../../src/images/png-codec.ts'
