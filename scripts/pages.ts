/** `npm run pages`: writes every page of `docs` that is generated from declarations, tables and counted rows. Tests fail while one of them differs. */
import './interface.ts'
import './cost.ts'
import './performance.ts'
import './permissions.ts'
import './settings-page.ts'
