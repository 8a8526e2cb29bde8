func.func @f() {
  "memref.alloc"() {alignment = 3 : i32} : () -> ()
  return
}
func.func @g() {
  "memref.dealloc"() : () -> ()
  return
}
func.func @h() {
  "memref.dealloc"() : () -> ()
  return
}
