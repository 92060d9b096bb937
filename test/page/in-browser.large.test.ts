/** What people do around conversations, in Chromium: one server for all of it. Conversations themselves are in a second file, which runs beside this one. */
import './in-browser/desktop-app.ts'
import './in-browser/finding.ts'
import './in-browser/forms.ts'
import './in-browser/frame.ts'
import './in-browser/lists.ts'
import './in-browser/other-origins.ts'
import './in-browser/own-menu.ts'
import './in-browser/places.ts'
import './in-browser/placing.ts'
import './in-browser/proof.ts'
import './in-browser/search.ts'
import './in-browser/second-factors.ts'
import { useOrganization } from './in-browser/organization.ts'

useOrganization()
