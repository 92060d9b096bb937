/** Hashes passwords and compares them, away from the Worker. Each method throws a ServiceUnavailableError (503) if too much work waits. */
export interface PasswordHasher {
  hash(password: string): Promise<string>
  /** Takes a place at the gate, before an attempt is counted: so no counted attempt is refused there. */
  reserve(): Promise<HashingPlace>
}

/** A place at the gate through which hashing goes. */
export interface HashingPlace {
  hash(password: string): Promise<string>
  /** Whether a password is right: false for a wrong one, and, after the same work, for an account without one (null). */
  verify(password: string, stored: string | null): Promise<boolean>
  /** Gives the place up; calling it twice is harmless. */
  leave(): void
}
