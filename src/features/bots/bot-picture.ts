import { defineStep } from '../../api/define-endpoint.ts'
import { discardImages, storeAvatar } from '../../api/in-worker/store-image.ts'
import { pathInStore } from '../../api/step-types.ts'
import type { WorkerContext } from '../../api/worker-context.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { IncomingFile } from '../../core/files.ts'
import { type ReservedImage, reserveImage } from '../../model/images/reserve-image.ts'

/** Reserves `fileId` for the picture in a request that creates or changes a bot. */
export const reserveBotPictureStep = defineStep({
  operation: 'reserve-bot-picture',
  access: 'human-member',
  params: { fileId: pathInStore },
  apply: (tx, _caller, { fileId }): ReservedImage => reserveImage(tx, fileId),
  audit: 'step',
})

/** Whether the request may have a picture: a form's files are known only once it has been read. */
export function mayHavePicture(files: WorkerContext['files']): boolean {
  return !Array.isArray(files) || files.length > 0
}

/**
 * Stores the picture in a request about a bot, if there is one, before the change itself, so that the bot has it from the start. Until the
 * change is made the file counts as an orphan. Source: docs/interface/bots.md#make-a-bot.
 * @throws BadRequestError for more than one file, BadImageError for one that is not an image.
 */
export async function storePicture(worker: WorkerContext): Promise<{ avatar_path?: string }> {
  const files: IncomingFile[] = []
  for await (const file of worker.files) if (file.name !== '') files.push(file)
  const [file, ...others] = files
  if (!file) return {}
  if (others.length > 0) throw new BadRequestError('You may only upload one file at a time')
  const [stored, reserved] = await Promise.allSettled([
    storeAvatar(file, worker),
    worker.run(reserveBotPictureStep.operation, { fileId: worker.fileId }),
  ])
  if (stored.status === 'fulfilled' && reserved.status === 'fulfilled') return { avatar_path: stored.value }
  if (stored.status === 'fulfilled') await discardImages(worker)
  throw reserved.status === 'rejected' ? reserved.reason : (stored as PromiseRejectedResult).reason
}
