import { quote } from '@countersign/sdk/words'

/** A version beside the registry's own words: quoted unless it is a number, because providers may write anything. */
export const versionName = (version: string) => (/^v?[\d.]+$/.test(version) ? version : quote(version))
