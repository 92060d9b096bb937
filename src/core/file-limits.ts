/** The settings of the deployment for uploads. */
export interface FileLimitEnvironment {
  /** Limit of one file, in MiB; 100 unless set. */
  readonly MAX_FILE_UPLOAD_MIB?: string
  /** Limit of all uploads of an organization together, in MiB; none unless set. */
  readonly UPLOAD_QUOTA_MIB?: string
}

export interface FileLimits {
  readonly maxFileUploadMib: number
  /** Null: no limit. */
  readonly uploadQuotaMib: number | null
}

const DEFAULT_MAX_MIB = 100

export function fileLimits({ MAX_FILE_UPLOAD_MIB, UPLOAD_QUOTA_MIB }: FileLimitEnvironment): FileLimits {
  return {
    maxFileUploadMib: positive(MAX_FILE_UPLOAD_MIB) ?? DEFAULT_MAX_MIB,
    uploadQuotaMib: positive(UPLOAD_QUOTA_MIB),
  }
}

function positive(setting: string | undefined): number | null {
  const value = Number(setting ?? '')
  return Number.isFinite(value) && value > 0 ? value : null
}
