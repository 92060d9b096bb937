import type { Command } from '../../core/command.ts'
import type { Caller } from '../caller.ts'
import { type ReservedImage, reserveImage } from '../images/reserve-image.ts'

/** Makes place for a picture that comes with a change of a bot, which is entered by the change. */
export const reserveBotPicture: Command<Caller, { readonly place: string }, void, ReservedImage> = {
  apply: (tx, _caller, { place }) => reserveImage(tx, place),
}
