/** Writes the tables of docs/cost.md. */
import { writeCostPage } from './cost-page.ts'

writeCostPage()
