/** What people do in the page, in Chromium: one server for all of it. */
import './in-browser/organization.ts'
import './in-browser/forms.ts'
import './in-browser/places.ts'
import './in-browser/links.ts'
import './in-browser/typing.ts'
import './in-browser/reading.ts'
import './in-browser/desktop-app.ts'
import './in-browser/other-origins.ts'
