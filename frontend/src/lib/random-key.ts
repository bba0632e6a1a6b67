/** 128 random bits as hex. randomUUID is kept from pages served by plain http; this is not. */
export function randomKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("")
}
