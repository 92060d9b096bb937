import type { Command } from '../../core/command.ts'
import type { Caller } from '../caller.ts'
import { type ReservedImage, reserveImage } from '../images/reserve-image.ts'

/** Reserves an address for the picture that comes with a change of a bot, which enters it. */
export const reserveBotPicture: Command<Caller, { readonly fileId: string }, void, ReservedImage> = {
  apply: (tx, _caller, { fileId }) => reserveImage(tx, fileId),
}
