import koffi from 'koffi'

/** Functions of CK_FUNCTION_LIST (PKCS#11 2.40, §3.6), in its order, up to the last one that is used. */
const order = [
  ...['Initialize', 'Finalize', 'GetInfo', 'GetFunctionList', 'GetSlotList', 'GetSlotInfo', 'GetTokenInfo'],
  ...['GetMechanismList', 'GetMechanismInfo', 'InitToken', 'InitPIN', 'SetPIN', 'OpenSession', 'CloseSession'],
  ...['CloseAllSessions', 'GetSessionInfo', 'GetOperationState', 'SetOperationState', 'Login', 'Logout'],
  ...['CreateObject', 'CopyObject', 'DestroyObject', 'GetObjectSize', 'GetAttributeValue', 'SetAttributeValue'],
  ...['FindObjectsInit', 'FindObjects', 'FindObjectsFinal', 'EncryptInit', 'Encrypt', 'EncryptUpdate', 'EncryptFinal'],
  ...['DecryptInit', 'Decrypt', 'DecryptUpdate', 'DecryptFinal', 'DigestInit', 'Digest', 'DigestUpdate', 'DigestKey'],
  ...['DigestFinal', 'SignInit', 'Sign', 'SignUpdate', 'SignFinal', 'SignRecoverInit', 'SignRecover', 'VerifyInit'],
  ...['Verify', 'VerifyUpdate', 'VerifyFinal', 'VerifyRecoverInit', 'VerifyRecover', 'DigestEncryptUpdate'],
  ...['DecryptDigestUpdate', 'SignEncryptUpdate', 'DecryptVerifyUpdate', 'GenerateKey', 'GenerateKeyPair'],
]

const parameters = {
  Initialize: 'void *args',
  GetSlotList: 'uint8_t present, _Out_ ulong *slots, _Inout_ ulong *count',
  GetTokenInfo: 'ulong slot, void *info',
  OpenSession: 'ulong slot, ulong flags, void *context, void *notify, _Out_ ulong *session',
  Login: 'ulong session, ulong user, const uint8_t *pin, ulong length',
  DestroyObject: 'ulong session, ulong object',
  GetAttributeValue: 'ulong session, ulong object, _Inout_ CK_ATTRIBUTE *attributes, ulong count',
  SetAttributeValue: 'ulong session, ulong object, CK_ATTRIBUTE *attributes, ulong count',
  FindObjectsInit: 'ulong session, CK_ATTRIBUTE *attributes, ulong count',
  FindObjects: 'ulong session, _Out_ ulong *objects, ulong most, _Out_ ulong *count',
  FindObjectsFinal: 'ulong session',
  SignInit: 'ulong session, CK_MECHANISM *mechanism, ulong key',
  Sign: 'ulong session, const uint8_t *data, ulong length, uint8_t *signature, _Inout_ ulong *size',
  GenerateKeyPair:
    'ulong session, CK_MECHANISM *mechanism, CK_ATTRIBUTE *of_public, ulong public_count, CK_ATTRIBUTE *of_private, ulong private_count, _Out_ ulong *public_key, _Out_ ulong *private_key',
} as const

type Name = keyof typeof parameters

const errorNames: Record<number, string> = {
  48: 'CKR_DEVICE_ERROR',
  50: 'CKR_DEVICE_REMOVED',
  96: 'CKR_KEY_HANDLE_INVALID',
  112: 'CKR_MECHANISM_INVALID, so the token does not support Ed25519',
  160: 'CKR_PIN_INCORRECT',
  161: 'CKR_PIN_INVALID',
  162: 'CKR_PIN_LEN_RANGE',
  163: 'CKR_PIN_EXPIRED',
  164: 'CKR_PIN_LOCKED',
  179: 'CKR_SESSION_HANDLE_INVALID',
  224: 'CKR_TOKEN_NOT_PRESENT',
  257: 'CKR_USER_NOT_LOGGED_IN',
}

/** A function of the module returned an error. */
class CryptokiError extends Error {
  override readonly name = 'CryptokiError'
  readonly code: number
  constructor(call: string, code: number) {
    super(`C_${call} returned ${errorNames[code] ?? `0x${code.toString(16)}`}`)
    this.code = code
  }
}

export interface Attribute {
  type: number
  value: Buffer
  length: number
}

/** Loads a module. Each function throws `CryptokiError` unless the module returns CKR_OK. */
export const loadModule = (path: string) => {
  koffi.struct('CK_ATTRIBUTE', { type: 'ulong', value: 'void *', length: 'ulong' })
  koffi.struct('CK_MECHANISM', { type: 'ulong', value: 'void *', length: 'ulong' })
  const list: unknown[] = [null]
  const code: number = koffi.load(path).func('ulong C_GetFunctionList(_Out_ void **list)')(list)
  if (code !== 0) throw new CryptokiError('GetFunctionList', code)
  const { functions } = koffi.decode(
    list[0],
    koffi.struct({ major: 'uint8_t', minor: 'uint8_t', functions: koffi.array('void *', order.length) }),
  )
  const open = (name: Name) => {
    const call = koffi.decode(functions[order.indexOf(name)], koffi.proto(`ulong C_${name}(${parameters[name]})`))
    return (...args: unknown[]) => {
      const code: number = call(...args)
      if (code !== 0) throw new CryptokiError(name, code)
    }
  }
  return Object.fromEntries((Object.keys(parameters) as Name[]).map((name) => [name, open(name)])) as Record<
    Name,
    (...args: unknown[]) => void
  >
}
