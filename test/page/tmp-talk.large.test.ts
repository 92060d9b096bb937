import './in-browser/looks.ts'
import './in-browser/media.ts'
import { useOrganization } from './in-browser/organization.ts'

useOrganization()
