/** The only version of the tus protocol (tus.io/protocols/resumable-upload) that is supported. */
export const TUS_VERSION = '1.0.0'
export const TUS_EXTENSIONS = 'creation,creation-with-upload,termination,expiration'

/** Returns a parameter's header: `upload_length` comes in `Upload-Length`. */
export function headerName(parameter: string): string {
  return parameter
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('-')
}
