import type { WorkerContext } from '../../api/worker-context.ts'
import type { HashingPlace } from '../../core/password-hasher.ts'
import { sealerOf } from '../../core/sealed-secret.ts'
import { bucketOf } from '../../store/d1/bucket.ts'
import { workerMemory } from '../request/admission-control.ts'
import { makeCopyForOwner } from '../request/make-copy.ts'
import { passwordHasher } from '../request/password-hasher.ts'
import { picturesOf } from '../storage/draw-pictures.ts'
import { fileStoreOn } from '../storage/stored-files.ts'
import type { Conversation, UnansweredCall } from './conversation.ts'
import { runElsewhere } from './run-elsewhere.ts'

/** Returns what the Worker's part of an operation can reach, as of the last answer of the conversation. */
export function workerContext(
  {
    env,
    realm,
    call: { source },
    body,
    largeBody,
  }: UnansweredCall & Pick<WorkerContext, 'body' | 'largeBody'>,
  conversation: Conversation,
  place: HashingPlace | undefined,
): WorkerContext {
  return {
    realmId: realm.id,
    source,
    language: conversation.language,
    env,
    body,
    largeBody,
    bodies: conversation.texts,
    files: conversation.files,
    store: fileStoreOn(bucketOf(env)),
    fileId: conversation.fileId,
    images: picturesOf(env, realm),
    secrets: sealerOf(env, realm.id),
    hasher: passwordHasher(env, realm),
    place,
    isRepetition: conversation.repeated !== undefined,
    arrivingMemory: () => workerMemory.arriving(),
    copyBackup: (plan, email) => makeCopyForOwner(env, realm.id, plan, { origin: source.origin, email }),
    run: (operation, value) => conversation.ask({ operation, parameters: { ok: true, value } }),
    runElsewhere: (url, operation, value) => runElsewhere(env, source, url, { operation, value }),
  }
}
