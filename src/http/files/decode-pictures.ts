import type { ImageResizer } from '../../core/images.ts'
import { DECODED_PICTURE } from '../../core/worker-budgets.ts'
import { cropSquare, fitInside } from '../../images/resize-image.ts'
import { pictureMemory } from '../memory-share.ts'

/**
 * Decodes pictures one after the other in an isolate, since each may take most of the memory.
 * @throws ServiceUnavailableError (503) when too many wait for it.
 */
export const PICTURES: ImageResizer = {
  fitInside: (bytes, bounds) => alone(() => fitInside(bytes, bounds)),
  cropSquare: (bytes, size) => alone(() => cropSquare(bytes, size)),
}

async function alone<Result>(decode: () => Promise<Result>): Promise<Result> {
  const giveBack = await pictureMemory.wait(DECODED_PICTURE)
  try {
    return await decode()
  } finally {
    giveBack()
  }
}
