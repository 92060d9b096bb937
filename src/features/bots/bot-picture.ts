import { defineStep, type WorkerContext } from '../../api/define-endpoint.ts'
import { discardImages, storeAvatar } from '../../api/in-worker/store-image.ts'
import { pathInStore } from '../../api/step-types.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { IncomingFile } from '../../core/files.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Caller } from '../../model/caller.ts'
import { type ReservedImage, reserveImage } from '../../model/images/reserve-image.ts'

/** Reserves `fileId` for a picture of a bot. */
export const reserveBotPictureStep = defineStep({
  operation: 'reserve-bot-picture',
  access: 'human-member',
  params: { fileId: pathInStore },
  command: { apply: reserveBotPicture },
  audit: 'step',
})

/** Whether the request may have a picture: files of a form are known once it has been read. */
export function mayHavePicture(files: WorkerContext['files']): boolean {
  return !Array.isArray(files) || files.length > 0
}

/**
 * Stores the picture that may come with a request about a bot, before the change itself, so that the bot has
 * it from the start. Until the change is made the file counts as an orphan. Source:
 * docs/interface/bots.md#make-a-bot.
 * @throws BadRequestError for more than one file, BadImageError for one that is no image.
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

/** Reserves an address for the picture that comes with a change of a bot, which enters it. */
function reserveBotPicture(
  tx: RealmTransaction,
  _caller: Caller,
  { fileId }: { readonly fileId: string },
): ReservedImage {
  return reserveImage(tx, fileId)
}
