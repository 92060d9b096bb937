/** What people do in conversations, in Chromium: one server for all of it. */
import './in-browser/commands.ts'
import './in-browser/links.ts'
import './in-browser/looks.ts'
import './in-browser/media.ts'
import './in-browser/message-rows.ts'
import './in-browser/reading.ts'
import './in-browser/typing.ts'
import './in-browser/writing.ts'
import { useOrganization } from './in-browser/organization.ts'

useOrganization()
