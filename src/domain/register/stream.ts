import { InBlocks } from '../../core/blocks.ts'
import { channelsInBlocks, listOfObjects, objectInPieces } from './channels-in-blocks.ts'
import type { Snapshot } from './snapshot.ts'

/** Key of `stream`: every channel whose metadata the caller may see. */
export const streamSnapshot: Snapshot = (tx, caller, options) => ({
  streams: new InBlocks(
    listOfObjects(channelsInBlocks(tx, caller, options).map((channel) => objectInPieces(channel))),
  ),
})
