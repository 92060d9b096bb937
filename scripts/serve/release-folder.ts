/** Folders of a release. */
export const WORKER_OF_RELEASE = 'worker'
export const PAGE_OF_RELEASE = 'page'
